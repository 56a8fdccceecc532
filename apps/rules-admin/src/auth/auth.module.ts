import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { BearerTokenGuard } from './bearer-token.guard.js';

@Module({ providers: [{ provide: APP_GUARD, useClass: BearerTokenGuard }] })
export class AuthModule {}
