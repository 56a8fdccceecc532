import { Module } from '@nestjs/common';
import type { DecisionLogConfig } from '../config/decision-log-config.js';
import { CONFIG } from '../tokens.js';
import { AdminApi } from './admin-api.js';
import { ControlPlane } from './control-plane.js';

@Module({
  providers: [
    {
      provide: ControlPlane,
      inject: [CONFIG],
      useFactory: ({ adminUrl, adminTokens: [token = ''] }: DecisionLogConfig) => new ControlPlane(new AdminApi({ url: adminUrl, token })),
    },
  ],
  exports: [ControlPlane],
})
export class ControlPlaneModule {}
