import { Module } from '@nestjs/common';
import { Authenticator } from './authenticator.js';
import { Door } from './door.js';

@Module({ providers: [Authenticator, Door], exports: [Door] })
export class AccessModule {}
