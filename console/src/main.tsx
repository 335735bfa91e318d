import { render } from 'preact';
import { Console } from './console.tsx';
import { followLinks } from './navigation/place.ts';

const root = document.getElementById('console');
if (root !== null) {
  followLinks();
  render(<Console />, root);
}
