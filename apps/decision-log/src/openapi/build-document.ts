import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { OPERATIONS_PATHS, withRoleSecurity } from '@sluice/platform';
import { SECURITY_SCHEMES } from './security-schemes.js';

const DESCRIPTION = [
  'What Sluice decided, and why: single decisions, explanations that can be sent on to a customer, usage, reports and replays.',
  '',
  "Callers show a token of the control plane. A tenant's token sees what was decided about its own keys, and nothing else. Errors are `application/problem+json`. Where allowed requests are sampled, sums are estimates and say so (`sampled`, `standard_error`).",
].join('\n');

/** The OpenAPI document, from the code. */
export function buildDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Sluice decision-log')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'This server')
    .addBearerAuth(SECURITY_SCHEMES.token, 'token')
    .addBearerAuth(SECURITY_SCHEMES.oidc, 'oidc')
    .addTag('decisions', 'Single decisions, and why each was taken.')
    .addTag('usage', 'Sums over time, and who is refused most.')
    .addTag('shadow', 'What rules in shadow would refuse.')
    .addTag('backtests', 'Recorded traffic, replayed against other rules.')
    .addTag('abuse', 'Patterns of abuse, and what was done about them.')
    .addTag('operations', 'Probes and metrics; open.')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  return { ...document, paths: { ...withRoleSecurity(document.paths, Object.keys(SECURITY_SCHEMES)), ...OPERATIONS_PATHS } };
}
