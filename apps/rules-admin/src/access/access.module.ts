import { Module } from '@nestjs/common';
import { AccessMetrics } from './access-metrics.js';
import { Authenticator } from './authenticator.js';
import { Door } from './door.js';
import { FailureLimit } from './failure-limit.js';
import { IssuedTokens } from './issued-tokens.js';
import { LastUses } from './last-uses.js';
import { OidcAuthenticator } from './oidc/oidc-authenticator.js';

@Module({
  providers: [AccessMetrics, Authenticator, Door, FailureLimit, IssuedTokens, LastUses, OidcAuthenticator],
  exports: [Door, IssuedTokens],
})
export class AccessModule {}
