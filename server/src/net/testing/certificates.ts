/** A certificate authority of a test's own, and certificates for receivers, made with the program `openssl`. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface Certificate {
  key: string;
  cert: string;
}

export interface CertificateAuthority {
  /** In PEM: for `tls.setDefaultCACertificates`, or a file that NODE_EXTRA_CA_CERTS names. */
  cert: string;
  /** @param names of the holder, as in `DNS:hook.example.com` and `IP:127.0.0.2` */
  issue(names: readonly string[]): Promise<Certificate>;
  issueExpired(names: readonly string[]): Promise<Certificate>;
  selfSigned(names: readonly string[]): Promise<Certificate>;
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

export async function createAuthority(): Promise<CertificateAuthority> {
  const { key, cert } = await selfSigned("/CN=Test authority", ["basicConstraints=critical,CA:TRUE"]);
  const issue = (names: readonly string[], days: number): Promise<Certificate> =>
    inFolder(async (folder) => {
      const path = (name: string): string => join(folder, name);
      await writeFile(path("ca.key"), key);
      await writeFile(path("ca.crt"), cert);
      await writeFile(path("extensions"), `subjectAltName=${names.join(",")}\n`);
      await openssl("req", ...newKey, "-subj", "/CN=Receiver", "-keyout", path("key"), "-out", path("request"));
      const authority = ["-CA", path("ca.crt"), "-CAkey", path("ca.key"), "-extfile", path("extensions")];
      await openssl("x509", "-req", "-in", path("request"), ...authority, "-days", `${days}`, "-out", path("cert"));
      return { key: await readFile(path("key"), "utf8"), cert: await readFile(path("cert"), "utf8") };
    });
  return {
    cert,
    issue: (names) => issue(names, 2),
    issueExpired: (names) => issue(names, -1),
    selfSigned: (names) => selfSigned("/CN=Receiver", [`subjectAltName=${names.join(",")}`]),
  };
}

function selfSigned(subject: string, extensions: readonly string[]): Promise<Certificate> {
  return inFolder(async (folder) => {
    const [key, cert] = [join(folder, "key"), join(folder, "cert")];
    const added = extensions.flatMap((extension) => ["-addext", extension]);
    await openssl("req", "-x509", ...newKey, "-days", "2", "-subj", subject, ...added, "-keyout", key, "-out", cert);
    return { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
  });
}

async function inFolder<T>(make: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "certificates-"));
  try {
    return await make(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const openssl = (...args: string[]) => promisify(execFile)("openssl", args, { timeout: 20_000 });
