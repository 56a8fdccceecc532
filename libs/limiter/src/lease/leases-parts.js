export {};
//# sourceMappingURL=leases-parts.js.map