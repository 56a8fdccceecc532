import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.js';
import { PlansController } from './plans.controller.js';
import { PlansService } from './plans.service.js';

@Module({ imports: [PagingModule], controllers: [PlansController], providers: [PlansService] })
export class PlansModule {}
