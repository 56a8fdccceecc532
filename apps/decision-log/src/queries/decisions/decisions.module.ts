import { Module } from '@nestjs/common';
import { DecisionsController } from './decisions.controller.js';
import { DecisionsService } from './decisions.service.js';

@Module({ controllers: [DecisionsController], providers: [DecisionsService] })
export class DecisionsModule {}
