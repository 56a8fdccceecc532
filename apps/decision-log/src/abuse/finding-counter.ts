import type { Registry } from '@sluice/platform';
import { Counter } from 'prom-client';
import type { Finding } from './finding.js';

/** Counts findings by pattern, of which there are as many as are configured. */
export function findingCounter(registry: Registry): (finding: Finding) => void {
  const findings = new Counter({ name: 'sluice_abuse_findings_total', help: 'Findings since the start.', labelNames: ['pattern'], registers: [registry] });
  return ({ patternId }) => findings.inc({ pattern: patternId });
}
