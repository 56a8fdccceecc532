import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.js';
import { KeysController } from './keys.controller.js';
import { KeysService } from './keys.service.js';

@Module({ imports: [PagingModule], controllers: [KeysController], providers: [KeysService], exports: [KeysService] })
export class KeysModule {}
