export { ACCESS_VARIABLES, accessConfig, type AdminToken, loadEnvironment, loadWithAccess, RULES_ADMIN_VARIABLES, type RulesAdminConfig, rulesAdminConfig } from './config.js';
export { createRulesAdmin, type RulesAdmin, type RulesAdminOptions } from './create-rules-admin.js';
export { RulesAdminModule, type RulesAdminParts } from './rules-admin.module.js';
export type { Seed, Seeded, SeedKey } from './seed/seed.js';
