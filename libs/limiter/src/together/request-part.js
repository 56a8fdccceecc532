export {};
//# sourceMappingURL=request-part.js.map