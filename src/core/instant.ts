/** A day of 24 hours. */
export const DAY_MS = 86_400_000;

/** Days before each month in a non-leap year. */
const DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334] as const;
const ZERO = 48;

/**
 * Returns the same as `Date.parse`. Nearly all recorded times have this form, and there may be
 * hundreds of thousands of them:
 *
 *     2026-03-07T11:18:50.384Z
 *
 * These are computed here in a fraction of the time; `Date.parse` handles all others.
 */
export function instantOf(text: string): number {
  if (text.length !== 24 || !isPunctuated(text)) return Date.parse(text);
  const year = number(text, 0, 4);
  const month = number(text, 5, 7);
  const day = number(text, 8, 10);
  const hour = number(text, 11, 13);
  const minute = number(text, 14, 16);
  const second = number(text, 17, 19);
  const ms = number(text, 20, 23);
  // `number` returns -Infinity for non-digits, which fails these checks. `Date.parse` also handles
  // the last days of months.
  const isDay = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 28;
  const isTime = hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59;
  if (!isDay || !isTime || !(second >= 0 && second <= 59 && ms >= 0)) return Date.parse(text);
  const days = daysBefore(year) + (DAYS_BEFORE[month - 1] ?? 0) + day - 1;
  const leap = month > 2 && isLeap(year) ? 1 : 0;
  return ((((days + leap) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms;
}

/** An instant as text; `null` if it is unknown. */
export function timeText(ms: number | null | undefined): string | null {
  return ms === undefined || ms === null ? null : new Date(ms).toISOString();
}

function isPunctuated(text: string): boolean {
  return (
    text.charCodeAt(4) === 45 &&
    text.charCodeAt(7) === 45 &&
    text.charCodeAt(10) === 84 &&
    text.charCodeAt(13) === 58 &&
    text.charCodeAt(16) === 58 &&
    text.charCodeAt(19) === 46 &&
    text.charCodeAt(23) === 90
  );
}

/** Parses digits; returns -Infinity if any character is not a digit. */
function number(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return Number.NEGATIVE_INFINITY;
    value = value * 10 + digit;
  }
  return value;
}

/** Days from 1970 to the beginning of a year. */
function daysBefore(year: number): number {
  const last = year - 1;
  const leaps = Math.floor(last / 4) - Math.floor(last / 100) + Math.floor(last / 400) - 477;
  return (year - 1970) * 365 + leaps;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
