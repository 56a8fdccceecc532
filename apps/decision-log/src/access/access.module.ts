import { Module } from '@nestjs/common';
import { Authenticator } from './authenticator.js';
import { Door } from './door.js';
import { GuessLimit } from './guess-limit.js';
import { TokenAuthority } from './token-authority.js';

@Module({ providers: [Authenticator, Door, GuessLimit, TokenAuthority], exports: [Door] })
export class AccessModule {}
