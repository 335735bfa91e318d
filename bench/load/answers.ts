/** How often each answer came: by its status, or by how it failed to come. */
export type Answers = Record<string, number>;

export function countAnswer(answers: Answers, answer: string | number, times = 1): void {
  answers[answer] = (answers[answer] ?? 0) + times;
}

/** Why a request has no answer. */
export function noAnswer(givenUp: AbortSignal): string {
  return givenUp.aborted ? 'unanswered' : 'broken off';
}

/** `200: 21, 503: 9` */
export function describeAnswers(answers: Answers): string {
  return Object.entries(answers)
    .map(([answer, times]) => `${answer}: ${times}`)
    .join(', ');
}
