export {};
//# sourceMappingURL=decision.js.map