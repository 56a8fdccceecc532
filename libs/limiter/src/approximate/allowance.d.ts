import type { Quota } from '@sluice/algorithms';
/** Permits that a node of a fleet of this size may admit before the store knows of them; 0 when its share is less than one. */
export declare function allowanceOf(quota: Quota, fleetSize: number): number;
/** Whether a counter with so much left is to be asked. */
export declare function isNear(quota: Quota, remaining: number, wasNear: boolean): boolean;
