import { dirname, join, relative, resolve } from 'node:path';

/** How the documents that one refers to are found, and called. */
export interface Addresses {
  /** The address of the document itself. */
  own: string;
  /** The address that is written in the document at `base`; `undefined` where it is not followed. */
  follow(base: string, written: string): string | undefined;
  /** How users call the document at an address. */
  name(address: string): string;
}

/** Files are followed wherever they are, the web is not. */
export function fileAddresses(file: string): Addresses {
  const own = resolve(file);
  return {
    own,
    follow: (base, written) => {
      const path = decode(written);
      return path === undefined || /^[a-z]+:\/\//i.test(written) ? undefined : resolve(dirname(base), path);
    },
    name: (address) => join(dirname(file), relative(dirname(own), address)),
  };
}

/** Documents of the same server are followed: a contract of another's can't have this machine ask anywhere else. */
export function remoteAddresses(url: string): Addresses {
  const { origin } = new URL(url);
  return {
    own: url,
    follow: (base, written) => {
      const target = URL.parse(written, base);
      return target === null || target.origin !== origin ? undefined : target.href;
    },
    name: (address) => address,
  };
}

function decode(written: string): string | undefined {
  try {
    return decodeURIComponent(written);
  } catch {
    return undefined;
  }
}
