import { ExactNumber } from "./value.ts";

/** Longer numbers are rejected: no program writes them by accident. */
const MAX_DIGITS = 4300;

/**
 * Parses the text of a number. Integers keep all their digits; other numbers are doubles, formatted
 * as by the draft's reference implementation:
 *
 *     1.0 → 1.0    1E-7 → 1e-07    1e16 → 1e+16    100.0 → 100.0    -0 → 0    -0.0 → -0.0
 *
 * Returns undefined if the number exceeds the range of doubles or has too many digits.
 */
export function numberOf(text: string): number | ExactNumber | undefined {
  if (text.length > MAX_DIGITS) return undefined;
  if (/[.eE]/.test(text)) {
    const double = Number(text);
    return Number.isFinite(double) ? new ExactNumber(doubleText(double)) : undefined;
  }
  if (text === "-0") return 0;
  const whole = Number(text);
  return Number.isSafeInteger(whole) ? whole : new ExactNumber(text);
}

/** The shortest digits that parse to the same double; exponents from 1e16 up and 1e-5 down. */
export function doubleText(double: number): string {
  if (double === 0) return Object.is(double, -0) ? "-0.0" : "0.0";
  const sign = double < 0 ? "-" : "";
  const [mantissa = "", exponentText = "0"] = Math.abs(double).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) return sign + scientific(digits, exponent);
  return sign + positional(digits, exponent);
}

function scientific(digits: string, exponent: number): string {
  const rest = digits.length > 1 ? `.${digits.slice(1)}` : "";
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits[0]}${rest}e${exponent < 0 ? "-" : "+"}${power}`;
}

function positional(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${whole}.${digits.slice(exponent + 1) || "0"}`;
}
