import { defineConfig } from 'branchline';

export default defineConfig({
  contracts: [
    { spec: 'openapi.yaml', targets: ['server', 'contract', 'kotlin'], runtime: 'package' },
    { spec: 'openapi.yaml', targets: ['client'], out: 'console/src' },
  ],
});
