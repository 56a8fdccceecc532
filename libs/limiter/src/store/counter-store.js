export {};
//# sourceMappingURL=counter-store.js.map