import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { OPERATIONS_PATHS, withRoleSecurity } from '@sluice/platform';
import { SECURITY_SCHEMES } from './security-schemes.js';

const DESCRIPTION = [
  'The control plane of Sluice: plans, tenants, keys and rules, and the snapshot that nodes poll.',
  '',
  'Every change names the version that it replaces (`If-Match`) or says that it creates (`If-None-Match: *`); what does neither is refused with 412. Every list is paged by cursor. Errors are `application/problem+json`.',
].join('\n');

/** The OpenAPI document, from the code. */
export function buildDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Sluice rules-admin')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'This server')
    .addBearerAuth(SECURITY_SCHEMES.token, 'token')
    .addBearerAuth(SECURITY_SCHEMES.oidc, 'oidc')
    .addTag('rules', 'What is limited, and how.')
    .addTag('plans', 'Plans and their default limits.')
    .addTag('tenants', 'Customers on a plan.')
    .addTag('keys', 'API keys of tenants.')
    .addTag('explain', 'What becomes of a request, and why.')
    .addTag('audit', 'Who changed what, and when.')
    .addTag('overrides', 'Other limits of single keys, for a time.')
    .addTag('tokens', 'Tokens of this API, by role.')
    .addTag('staging', 'Rules in shadow and proposed versions, and what they would refuse.')
    .addTag('snapshot', 'What nodes poll.')
    .addTag('operations', 'Probes and metrics; open.')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  return { ...document, paths: { ...withRoleSecurity(document.paths, Object.keys(SECURITY_SCHEMES)), ...OPERATIONS_PATHS } };
}
