export {};
//# sourceMappingURL=reservation.js.map