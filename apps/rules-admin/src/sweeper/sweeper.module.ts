import { Module } from '@nestjs/common';
import { Sweeper } from './sweeper.js';

@Module({ providers: [Sweeper], exports: [Sweeper] })
export class SweeperModule {}
