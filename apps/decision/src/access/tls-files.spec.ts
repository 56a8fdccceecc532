import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@sluice/platform';
import { certificateMaker } from '../../test/certificates.js';
import { type TlsSettings, tlsFilesOf } from './tls-files.js';

describe('TLS files at the start', () => {
  const certificates = certificateMaker();
  afterAll(() => certificates.close());
  const ca = certificates.authority('ca');
  const pair = certificates.signed('server', ca);
  const other = certificates.signed('other', ca);
  const nonsense = join(certificates.dir, 'nonsense.pem');
  writeFileSync(nonsense, 'hunter2 is no certificate');

  function faultsOf(cert?: string, key?: string, clientCa?: string): readonly string[] {
    const settings: TlsSettings = { tlsCertFile: cert, tlsKeyFile: key, tlsClientCaFile: clientCa };
    try {
      tlsFilesOf(settings);
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.faults;
      throw error;
    }
  }

  it('are none, a pair, or a pair and a CA', () => {
    expect(tlsFilesOf({ tlsCertFile: undefined, tlsKeyFile: undefined, tlsClientCaFile: undefined })).toBeUndefined();
    expect(faultsOf(pair.certFile, pair.keyFile)).toEqual([]);
    expect(faultsOf(pair.certFile, pair.keyFile, ca.certFile)).toEqual([]);
  });

  it('that are wrong are listed all at once, by their settings and without what they hold', () => {
    expect(faultsOf(pair.certFile)).toEqual(['SLUICE_DECISION_TLS_KEY is required for TLS']);
    expect(faultsOf(undefined, undefined, ca.certFile)).toHaveLength(2);
    expect(faultsOf('/nowhere/a.crt', '/nowhere/a.key', '/nowhere/ca.crt')).toEqual(
      [['CERT', 'a.crt'], ['KEY', 'a.key'], ['CLIENT_CA', 'ca.crt']].map(([name, file]) => `SLUICE_DECISION_TLS_${name}: /nowhere/${file} cannot be read (ENOENT)`),
    );
    const faults = faultsOf(nonsense, nonsense, nonsense);
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['SLUICE_DECISION_TLS_CERT', 'SLUICE_DECISION_TLS_KEY', 'SLUICE_DECISION_TLS_CLIENT_CA']);
    expect(faults.join()).not.toContain('hunter2');
    expect(faultsOf(pair.certFile, other.keyFile)).toEqual(['SLUICE_DECISION_TLS_KEY is not the key of SLUICE_DECISION_TLS_CERT']);
    expect(faultsOf(pair.keyFile, pair.certFile)).toHaveLength(2);
  });
});
