import { describe, expect, test } from 'vitest';
import { GroupCommit, type GroupCommitOptions, NotTaken } from './group-commit.ts';

/** A commit that the test ends when it wants to. */
interface Commit {
  requests: readonly string[];
  succeed: () => void;
  fail: (error: Error) => void;
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function start(options: Partial<GroupCommitOptions<string, string>> = {}) {
  const timers: (() => void)[] = [];
  const commits: Commit[] = [];
  const group = new GroupCommit<string, string>({
    commit: (requests) => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>();
      commits.push({ requests, succeed: () => resolve(requests.map((text) => `${text}!`)), fail: reject });
      return promise;
    },
    holderOf: () => 'shop',
    weigh: ({ length }) => length,
    meetsAll: () => false,
    delayMs: 3,
    maxGroupWeight: 6,
    maxWaitingWeight: 18,
    concurrency: 1,
    now: () => 0,
    timer: (callback) => timers.push(callback),
    ...options,
  });
  const newest = (): Commit => {
    const commit = commits.at(-1);
    if (commit === undefined) throw new Error('nothing was committed');
    return commit;
  };
  return { group, timers, commits, newest, ring: () => timers.shift()?.() };
}

describe('grouping', () => {
  test('commits what arrives within the delay together, and answers each with its own outcome', async () => {
    const { group, timers, commits, newest, ring } = start();
    const answers = Promise.all([group.submit('a'), group.submit('b')]);
    await settled();
    expect(commits).toHaveLength(0);
    expect(timers).toHaveLength(1);
    ring();
    expect(newest().requests).toEqual(['a', 'b']);
    newest().succeed();
    expect(await answers).toEqual(['a!', 'b!']);
  });

  test('answers nobody before the commit is done', async () => {
    const { group, newest, ring } = start();
    let answered = false;
    const answer = group.submit('a').then(() => (answered = true));
    ring();
    await settled();
    expect(answered).toBe(false);
    newest().succeed();
    await answer;
  });

  test('a full group does not wait for the timer', () => {
    const { group, newest } = start();
    void group.submit('aaa');
    void group.submit('bbb');
    expect(newest().requests).toEqual(['aaa', 'bbb']);
  });

  test('what arrives during a commit makes the next group, in order and within the bound', async () => {
    const { group, commits, newest, ring } = start();
    const answers = [group.submit('a')];
    ring();
    answers.push(...['bbbb', 'cc', 'd'].map((text) => group.submit(text)));
    expect(commits).toHaveLength(1);
    newest().succeed();
    await settled();
    expect(newest().requests).toEqual(['bbbb', 'cc']);
    newest().succeed();
    await settled();
    expect(newest().requests).toEqual(['d']);
    newest().succeed();
    expect(await Promise.all(answers)).toEqual(['a!', 'bbbb!', 'cc!', 'd!']);
  });

  test('a holder rests between its groups, and others do not, nor does anybody once it hurries', async () => {
    const rests: { holder: string; end: () => void }[] = [];
    const rest = (holder: string) => new Promise<void>((end) => rests.push({ holder, end }));
    const { group, commits, newest, ring } = start({ rest, concurrency: 2, holderOf: (text) => text.charAt(0) });
    const answers = [group.submit('a1'), group.submit('a2')];
    ring();
    answers.push(group.submit('a3'));
    newest().succeed();
    await settled();
    expect(rests.map(({ holder }) => holder)).toEqual(['a']);
    answers.push(group.submit('b1'));
    ring();
    expect(newest().requests).toEqual(['b1']);
    newest().succeed();
    await settled();
    expect(commits).toHaveLength(2);
    for (const { end } of rests) end();
    await settled();
    expect(newest().requests).toEqual(['a3']);
    group.hurry();
    answers.push(group.submit('a4'));
    newest().succeed();
    await settled();
    expect(newest().requests).toEqual(['a4']);
    newest().succeed();
    expect(await Promise.all(answers)).toEqual(['a1!', 'a2!', 'a3!', 'b1!', 'a4!']);
    expect(rests).toHaveLength(2);
  });

  test('a request that is heavier than a group is committed alone', async () => {
    const { group, newest } = start({ maxWaitingWeight: 20 });
    const answer = group.submit('aaaaaaaaaaaaaaa');
    expect(newest().requests).toEqual(['aaaaaaaaaaaaaaa']);
    newest().succeed();
    await answer;
  });

  test('a request after a quiet time arms the timer again', async () => {
    const { group, timers, newest, ring } = start();
    const first = group.submit('a');
    ring();
    newest().succeed();
    await first;
    const second = group.submit('b');
    expect(timers).toHaveLength(1);
    ring();
    newest().succeed();
    expect(await second).toBe('b!');
  });
});

describe('failures', () => {
  const poisoned = (bad: string) =>
    start({
      commit: async (requests) => {
        if (requests.includes(bad)) throw new Error(`can't store ${bad}`);
        return requests.map((text) => `${text}!`);
      },
    });

  test('a request that can not be stored fails alone', async () => {
    const { group, ring } = poisoned('b');
    const answers = Promise.allSettled([group.submit('a'), group.submit('b'), group.submit('c')]);
    ring();
    expect(await answers).toEqual([
      { status: 'fulfilled', value: 'a!' },
      { status: 'rejected', reason: new Error("can't store b") },
      { status: 'fulfilled', value: 'c!' },
    ]);
  });

  test('a request that was alone is not tried twice', async () => {
    const { group, commits, newest, ring } = start();
    const answer = group.submit('a');
    ring();
    newest().fail(new Error('no'));
    await expect(answer).rejects.toThrow('no');
    expect(commits).toHaveLength(1);
  });

  test('an error that meets all is not tried again one by one', async () => {
    const { group, commits, newest, ring } = start({ meetsAll: () => true });
    const answers = Promise.allSettled([group.submit('a'), group.submit('b')]);
    ring();
    newest().fail(new Error('database is away'));
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(commits).toHaveLength(1);
  });

  test('a failure does not hold up what comes after', async () => {
    const { group, newest, ring } = start();
    const first = group.submit('a');
    ring();
    const second = group.submit('b');
    newest().fail(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await settled();
    newest().succeed();
    expect(await second).toBe('b!');
  });
});

describe('the bound on what waits', () => {
  test('refuses what is past it and takes more once there is room', async () => {
    const { group, newest, ring } = start();
    const taken = [group.submit('a')];
    ring();
    taken.push(group.submit('bbbbb'), group.submit('cccc'));
    await expect(group.submit('d')).rejects.toThrow(NotTaken);
    newest().succeed();
    await settled();
    taken.push(group.submit('e'));
    for (let left = 0; left < 3; left += 1) {
      newest().succeed();
      await settled();
    }
    expect(await Promise.all(taken)).toEqual(['a!', 'bbbbb!', 'cccc!', 'e!']);
  });
});

describe('several holders', () => {
  /** Requests such as `shop:a`, of the holder before the colon. */
  const shared = (options: Partial<GroupCommitOptions<string, string>> = {}) =>
    start({ holderOf: (request) => request.split(':', 1)[0] ?? '', weigh: () => 1, ...options });

  test('that have taken the least time come first, however many others wait', async () => {
    let now = 0;
    const { group, commits } = start({
      holderOf: (text) => text.slice(0, -1),
      weigh: () => 1,
      maxWaitingWeight: 1_000,
      now: () => now,
    });
    group.hurry();
    const commitAll = async (names: readonly string[], milliseconds: number): Promise<string[]> => {
      const first = commits.length;
      for (const name of names) void group.submit(name);
      await settled();
      for (let done = first; done < commits.length; done += 1) {
        now += milliseconds;
        commits[done]?.succeed();
        await settled();
      }
      return commits.slice(first).flatMap(({ requests }) => requests);
    };
    const holders = Array.from({ length: 8 }, (_, index) => `loud${index}`);
    await commitAll(
      holders.map((holder) => `${holder}1`),
      50,
    );
    await commitAll(['quiet1'], 1);
    const order = await commitAll(
      [...holders, 'quiet'].map((holder) => `${holder}2`),
      10,
    );
    // The first one found nobody under way.
    expect(order.indexOf('quiet2')).toBeLessThanOrEqual(1);
    expect(order).toHaveLength(9);
  });

  test('take turns, each with groups of its own', async () => {
    const { group, commits, newest, ring } = shared({ maxGroupWeight: 2, maxWaitingWeight: 100 });
    const answers = [group.submit('loud:0')];
    ring();
    for (const request of ['loud:1', 'loud:2', 'loud:3', 'quiet:1', 'loud:4', 'other:1'])
      answers.push(group.submit(request));
    for (let left = 0; left < 5; left += 1) {
      newest().succeed();
      await settled();
    }
    await Promise.all(answers);
    expect(commits.map(({ requests }) => requests)).toEqual([
      ['loud:0'],
      ['quiet:1'],
      ['other:1'],
      ['loud:1', 'loud:2'],
      ['loud:3', 'loud:4'],
    ]);
  });

  test('one that has taken all it may leaves room for others', async () => {
    const { group, newest, ring } = shared({ maxWaitingWeight: 18 });
    const answers = [group.submit('loud:0')];
    ring();
    for (let count = 1; count <= 9; count += 1) answers.push(group.submit(`loud:${count}`));
    await expect(group.submit('loud:10')).rejects.toThrow(NotTaken);
    answers.push(group.submit('quiet:1'));
    for (let left = 0; left < 4; left += 1) {
      newest().succeed();
      await settled();
    }
    expect(await Promise.all(answers)).toHaveLength(11);
  });

  test('are committed side by side, as many as may be, and never two groups of one', async () => {
    const { group, commits, newest } = shared({ concurrency: 2, maxGroupWeight: 1, maxWaitingWeight: 100 });
    const answers = ['a:1', 'a:2', 'b:1', 'c:1'].map((request) => group.submit(request));
    expect(commits.map(({ requests }) => requests)).toEqual([['a:1'], ['b:1']]);
    commits[0]?.succeed();
    await settled();
    expect(newest().requests).toEqual(['c:1']);
    commits[1]?.succeed();
    await settled();
    expect(newest().requests).toEqual(['a:2']);
    newest().succeed();
    commits[2]?.succeed();
    expect(await Promise.all(answers)).toEqual(['a:1!', 'a:2!', 'b:1!', 'c:1!']);
  });
});

describe('close', () => {
  test('commits what waits without the timer, answers it, and takes no more', async () => {
    const { group, newest } = start();
    const answer = group.submit('a');
    const closed = group.close();
    await expect(group.submit('b')).rejects.toThrow(NotTaken);
    newest().succeed();
    expect(await answer).toBe('a!');
    await closed;
  });

  test('waits for the commit under way and for what came during it', async () => {
    const { group, newest, ring } = start();
    const answers = [group.submit('a')];
    ring();
    answers.push(group.submit('b'));
    let closed = false;
    const closing = group.close().then(() => (closed = true));
    newest().succeed();
    await settled();
    expect(closed).toBe(false);
    newest().succeed();
    await closing;
    expect(await Promise.all(answers)).toEqual(['a!', 'b!']);
  });

  test('is done at once where nothing waits', async () => {
    const { group, commits } = start();
    await group.close();
    expect(commits).toHaveLength(0);
  });
});
