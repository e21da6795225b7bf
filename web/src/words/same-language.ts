/**
 * Returns whether two codes identify the same language. The codes can differ: API calls use three letters (`fra`),
 * manifests the shortest form (`fr`).
 */
export function sameLanguage(one: string, other: string | undefined): boolean {
  return other !== undefined && baseLanguage(one) === baseLanguage(other)
}

function baseLanguage(code: string): string {
  return /^[a-z]{2,3}(-|$)/i.test(code) ? new Intl.Locale(code).language : code
}
