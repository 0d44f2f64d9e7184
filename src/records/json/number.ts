import { ExactNumber } from "./value.ts";

/** More digits than this are refused: no program wrote them by accident. */
const MAX_DIGITS = 4300;

/**
 * The value of a number's text. Whole numbers keep all their digits, however many; the others are
 * doubles, written the way the records' own reference writes them:
 *
 *     1.0 → 1.0    1E-7 → 1e-07    1e16 → 1e+16    100.0 → 100.0    -0 → 0    -0.0 → -0.0
 *
 * `undefined` when the number is beyond all doubles or has too many digits.
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

/** The shortest digits that read back as the same double; exponents from 1e16 up and 1e-5 down. */
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
