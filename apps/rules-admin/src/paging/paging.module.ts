import { Module } from '@nestjs/common';
import { PageReader } from './page-reader.js';

@Module({ providers: [PageReader], exports: [PageReader] })
export class PagingModule {}
