/** Creates a certificate authority for a test, and certificates for receivers. */
import "reflect-metadata";
import type { webcrypto } from "node:crypto";
import { isIP } from "node:net";
import * as x509 from "@peculiar/x509";

export interface Certificate {
  key: string;
  cert: string;
}

export interface CertificateAuthority {
  /**
   * Certificate in PEM, for `tls.setDefaultCACertificates` or for a file named in
   * NODE_EXTRA_CA_CERTS.
   */
  cert: string;
  /**
   * @param names host names and addresses of the holder, such as `hook.example.com` and `127.0.0.2`
   */
  issue(names: readonly string[]): Promise<Certificate>;
  issueExpired(names: readonly string[]): Promise<Certificate>;
  selfSigned(names: readonly string[]): Promise<Certificate>;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const dayMs = 86_400_000;

const makeKeys = (): Promise<webcrypto.CryptoKeyPair> => crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);

const authorityExtensions = () => [
  new x509.BasicConstraintsExtension(true, undefined, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
];

const namesExtension = (names: readonly string[]) => [
  new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: isIP(value) === 0 ? ("dns" as const) : ("ip" as const), value })),
  ),
];

export async function createAuthority(): Promise<CertificateAuthority> {
  const keys = await makeKeys();
  const subject = "CN=Test authority";
  const root = await selfSigned(keys, subject, authorityExtensions());
  const issue = async (names: readonly string[], days: number): Promise<Certificate> => {
    const own = await makeKeys();
    const cert = await x509.X509CertificateGenerator.create({
      serialNumber: "02",
      subject: "CN=Receiver",
      issuer: subject,
      notBefore: new Date(Date.now() - 3 * dayMs),
      notAfter: new Date(Date.now() + days * dayMs),
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      extensions: namesExtension(names),
    });
    return { key: await keyOf(own), cert: cert.toString("pem") };
  };
  return {
    cert: root.toString("pem"),
    issue: (names) => issue(names, 2),
    issueExpired: (names) => issue(names, -1),
    selfSigned: async (names) => {
      const own = await makeKeys();
      const cert = await selfSigned(own, "CN=Receiver", namesExtension(names));
      return { key: await keyOf(own), cert: cert.toString("pem") };
    },
  };
}

const selfSigned = (
  keys: webcrypto.CryptoKeyPair,
  name: string,
  extensions: x509.Extension[],
): Promise<x509.X509Certificate> =>
  x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 2 * dayMs),
    keys,
    signingAlgorithm: algorithm,
    extensions,
  });

async function keyOf({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey("pkcs8", privateKey), "PRIVATE KEY");
}
