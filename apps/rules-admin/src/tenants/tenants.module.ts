import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.js';
import { TenantsController } from './tenants.controller.js';
import { TenantsService } from './tenants.service.js';

@Module({ imports: [PagingModule], controllers: [TenantsController], providers: [TenantsService] })
export class TenantsModule {}
