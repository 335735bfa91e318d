import { render } from 'preact';

const root = document.getElementById('console');
if (root !== null) render(<h1>Branchline</h1>, root);
