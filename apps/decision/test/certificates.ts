import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate and its key, as files and as text. */
export interface Pair {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/** Makes certificates with the program openssl, which every system has; node can read them only. */
export interface CertificateMaker {
  readonly dir: string;
  /** An authority of its own. */
  authority(name: string): Pair;
  /** For 127.0.0.1 and localhost, and for clients. It says by which key it is signed, unless told otherwise: then its issuer's name alone says whose it is. */
  signed(name: string, by: Pair, options?: { readonly saysKey: boolean }): Pair;
  close(): void;
}

export function certificateMaker(): CertificateMaker {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-certificates-'));
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' });
  const pairOf = (name: string): Pair => {
    const [certFile, keyFile] = [join(dir, `${name}.crt`), join(dir, `${name}.key`)];
    return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  };
  const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  return {
    dir,
    authority(name) {
      openssl('req', '-x509', ...KEY, '-days', '2', '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`);
      return pairOf(name);
    },
    signed(name, by, { saysKey } = { saysKey: true }) {
      writeFileSync(join(dir, `${name}.ext`), `subjectAltName=IP:127.0.0.1,DNS:localhost\n${saysKey ? '' : 'authorityKeyIdentifier=none\n'}`);
      openssl('req', ...KEY, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
      openssl('x509', '-req', '-in', `${name}.csr`, '-CA', by.certFile, '-CAkey', by.keyFile, '-CAcreateserial', '-days', '2', '-extfile', `${name}.ext`, '-out', `${name}.crt`);
      return pairOf(name);
    },
    close: () => rmSync(dir, { recursive: true, force: true }),
  };
}
