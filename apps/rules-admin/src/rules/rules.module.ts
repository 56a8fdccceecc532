import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.js';
import { RulesController } from './rules.controller.js';
import { RulesService } from './rules.service.js';

@Module({ imports: [PagingModule], controllers: [RulesController], providers: [RulesService] })
export class RulesModule {}
