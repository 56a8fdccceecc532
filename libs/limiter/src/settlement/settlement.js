export const UNKNOWN = { status: 'unknown', charged: 0, returned: 0, indebted: 0 };
export const UNAVAILABLE = { status: 'unavailable', charged: 0, returned: 0, indebted: 0 };
//# sourceMappingURL=settlement.js.map