import { Module } from '@nestjs/common';
import { ControlPlaneModule } from '../../control-plane/control-plane.module.js';
import { ExplainController } from './explain.controller.js';
import { ExplainService } from './explain.service.js';
import { FactFinder } from './fact-finder.js';

@Module({ imports: [ControlPlaneModule], controllers: [ExplainController], providers: [ExplainService, FactFinder] })
export class ExplainModule {}
