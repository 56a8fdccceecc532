export {};
//# sourceMappingURL=passenger.js.map