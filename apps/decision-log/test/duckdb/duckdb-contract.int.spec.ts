import { storeContract } from '../store-contract/store-contract.js';
import { openContractStore } from './open-contract-store.js';

storeContract('DuckDB', openContractStore);
