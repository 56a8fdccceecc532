import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ConfigError } from '@sluice/platform';

/** Where the PEM files of a port are. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  /** Signs client certificates; absent: none are asked for. */
  readonly clientCa: string | undefined;
}

/** The settings that name them. */
export interface TlsSettings {
  readonly tlsCertFile: string | undefined;
  readonly tlsKeyFile: string | undefined;
  readonly tlsClientCaFile: string | undefined;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----/;

/**
 * The files that settings name; undefined where none are: then the port speaks plain HTTP.
 *
 * @throws ConfigError with all faults: half of a pair, and what {@link readTls} says
 */
export function tlsFilesOf({ tlsCertFile: cert, tlsKeyFile: key, tlsClientCaFile: clientCa }: TlsSettings): TlsFiles | undefined {
  if (cert === undefined && key === undefined && clientCa === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    const missing = [...(cert === undefined ? ['SLUICE_DECISION_TLS_CERT'] : []), ...(key === undefined ? ['SLUICE_DECISION_TLS_KEY'] : [])];
    throw new ConfigError(missing.map((name) => `${name} is required for TLS`));
  }
  const files = { cert, key, clientCa };
  readTls(files);
  return files;
}

/**
 * Reads the files and tries them: what is returned works. What they hold is in no fault.
 *
 * @throws ConfigError with a fault for each file that cannot be read or is not what it should be
 */
export function readTls({ cert, key, clientCa }: TlsFiles): SecureContextOptions {
  const faults: string[] = [];
  const read = (name: string, path: string): string => {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      faults.push(`${name}: ${path} cannot be read (${codeOf(error)})`);
      return '';
    }
  };
  const options = {
    cert: read('SLUICE_DECISION_TLS_CERT', cert),
    key: read('SLUICE_DECISION_TLS_KEY', key),
    ...(clientCa !== undefined && { ca: read('SLUICE_DECISION_TLS_CLIENT_CA', clientCa) }),
  };
  if (faults.length === 0) faults.push(...faultsOf(options));
  if (faults.length > 0) throw new ConfigError(faults);
  return options;
}

/** Each file by itself first, so that a fault names the one that is wrong. */
function faultsOf({ cert, key, ca }: { readonly cert: string; readonly key: string; readonly ca?: string }): string[] {
  const faults: string[] = [];
  if (!works({ cert })) faults.push('SLUICE_DECISION_TLS_CERT holds no PEM certificate');
  if (!works({ key })) faults.push('SLUICE_DECISION_TLS_KEY holds no PEM private key that is usable without a passphrase');
  // OpenSSL takes a file without any certificate for an empty list.
  if (ca !== undefined && !(CERTIFICATE.test(ca) && works({ ca }))) faults.push('SLUICE_DECISION_TLS_CLIENT_CA holds no PEM certificate');
  if (faults.length === 0 && !works({ cert, key })) faults.push('SLUICE_DECISION_TLS_KEY is not the key of SLUICE_DECISION_TLS_CERT');
  return faults;
}

function works(options: SecureContextOptions): boolean {
  try {
    createSecureContext(options);
    return true;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
}
