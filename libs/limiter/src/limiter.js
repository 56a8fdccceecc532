export {};
//# sourceMappingURL=limiter.js.map