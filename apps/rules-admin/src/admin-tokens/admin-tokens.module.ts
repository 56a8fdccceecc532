import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { PagingModule } from '../paging/paging.module.js';
import { AdminTokensController } from './admin-tokens.controller.js';
import { AdminTokensService } from './admin-tokens.service.js';
import { OwnTokenController } from './own-token.controller.js';

@Module({ imports: [AccessModule, PagingModule], controllers: [AdminTokensController, OwnTokenController], providers: [AdminTokensService] })
export class AdminTokensModule {}
