/**
 * Refuses passwords that attackers guess first. Every rule takes time linear in the length of the
 * password.
 */
import { limits } from "@sheaf/contract/limits.ts";
import { AppError } from "../../lib/errors.ts";

/** The user to whom a password belongs. */
export interface PasswordOwner {
  email: string;
  name: string;
}

/**
 * A password must not contain the user's address or name, or a part of them with at least this many
 * characters. Shorter parts occur in good passwords by chance.
 */
const minOwnLength = 4;
const minDistinctCharacters = 5;
/**
 * A common password is refused even with up to this many digits and symbols around it, as in
 * `Password2024!`.
 */
const maxDecoration = 6;
/**
 * A password counts as a sequence, such as `abcdefghij`, if more than this share of its pairs of
 * neighbouring characters are equal or consecutive.
 */
const maxSequenceShare = 0.7;

/** @throws AppError `invalid_request` that names `path` and the reason */
export async function refuseWeakPassword(password: string, owner: PasswordOwner, path: string): Promise<void> {
  const message = await weaknessOf(password, owner);
  if (message !== undefined) throw new AppError("invalid_request", { issues: [{ path, message }] });
}

/** Returns why a password is too easy to guess; undefined if it is not. */
export async function weaknessOf(password: string, owner: PasswordOwner): Promise<string | undefined> {
  const { passwordMinLength: min, passwordMaxLength: max } = limits;
  const characters = [...password];
  if (characters.length < min || characters.length > max) return `must have ${min} to ${max} characters`;
  const plain = password.normalize("NFKC").toLowerCase();
  if (partsOf(owner).some((part) => plain.includes(part))) return "must not contain the email address or the name";
  if (new Set(plain).size < minDistinctCharacters || isSequence(plain) || isRepeated(plain))
    return "must not be a sequence or a repetition";
  const common = await commonPasswords();
  if (variantsOf(plain).some((variant) => common.has(variant))) return "is one of the most common passwords";
  return undefined;
}

function partsOf({ email, name }: PasswordOwner): string[] {
  const address = email.toLowerCase();
  const person = name.normalize("NFKC").toLowerCase().trim();
  const parts = [address, address.split("@")[0] ?? "", person, person.replace(/\s/gu, "")];
  return parts.filter((part) => part.length >= minOwnLength);
}

function isSequence(text: string): boolean {
  const steps = [...text].map((character, index) => Math.abs(text.charCodeAt(index + 1) - character.charCodeAt(0)));
  return steps.slice(0, -1).filter((step) => step <= 1).length > maxSequenceShare * (text.length - 1);
}

/**
 * Returns whether the text consists of repetitions of a shorter text. If it does, `text + text`
 * also contains the text at a position between 0 and `text.length`.
 */
const isRepeated = (text: string): boolean => (text + text).indexOf(text, 1) < text.length;

/**
 * Returns the password and its variants: without the digits and symbols around it, with common
 * character substitutions (such as `0` for `o`) undone, and with both changes.
 */
function variantsOf(plain: string): string[] {
  const withReplacements = [plain, trimmed(plain)];
  const letters = withReplacements.map((text) => text.replace(/[@4310$57!]/g, (sign) => replacements[sign] ?? sign));
  return [...withReplacements, ...letters, ...letters.map(trimmed)].filter(
    (text) => text.length >= minOwnLength && plain.length - text.length <= maxDecoration,
  );
}

const replacements: Record<string, string> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "1": "i",
  "!": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
};

/** Removes digits and symbols before the first letter and after the last. */
function trimmed(text: string): string {
  const characters = [...text];
  const isLetter = (character: string) => /\p{L}/u.test(character);
  return characters.slice(characters.findIndex(isLetter), characters.findLastIndex(isLetter) + 1).join("");
}

let loaded: Promise<ReadonlySet<string>> | undefined;

/**
 * Returns 49,233 passwords from breaches, in lower case. They are loaded when first needed, which
 * takes 30 ms and 4 MB.
 */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"] as string[]),
  );
  return loaded;
}
