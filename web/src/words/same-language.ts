/** Returns whether two codes identify the same language: calls use three letters, manifests the shortest form. */
export function sameLanguage(one: string, other: string | undefined): boolean {
  return other !== undefined && baseLanguage(one) === baseLanguage(other)
}

function baseLanguage(code: string): string {
  return /^[a-z]{2,3}(-|$)/i.test(code) ? new Intl.Locale(code).language : code
}
