import { Module } from '@nestjs/common';
import { TopController } from './top.controller.js';
import { TopService } from './top.service.js';

@Module({ controllers: [TopController], providers: [TopService] })
export class TopModule {}
