/** What a storefront asks of a password (A5-07, decision 43). */
export interface PasswordPolicy {
  /** Fewest characters; always asked for (A5-08). */
  minimumCharacters: number
  upperCaseEnabled: boolean
  numbersEnabled: boolean
  alphabeticalEnabled: boolean
  specialCharacterEnabled: boolean
  /** The special characters that count (A5-10). */
  specialCharacters: string
}

/** One rule of a policy, and whether a password keeps it. */
export interface PasswordRule {
  rule: 'minimumCharacters' | 'upperCase' | 'numbers' | 'alphabetical' | 'specialCharacter'
  kept: boolean
}

/** The rules of a policy that are on, in the order in which they are shown (A5-07 to A5-10). */
export function passwordRules(policy: PasswordPolicy, password: string): PasswordRule[] {
  const special = new Set(policy.specialCharacters)
  const rules: (PasswordRule & { enabled: boolean })[] = [
    { rule: 'minimumCharacters', enabled: true, kept: password.length >= policy.minimumCharacters },
    { rule: 'upperCase', enabled: policy.upperCaseEnabled, kept: /\p{Lu}/u.test(password) },
    { rule: 'numbers', enabled: policy.numbersEnabled, kept: /[0-9]/.test(password) },
    { rule: 'alphabetical', enabled: policy.alphabeticalEnabled, kept: /\p{L}/u.test(password) },
    {
      rule: 'specialCharacter',
      enabled: policy.specialCharacterEnabled,
      kept: Array.from(password).some((character) => special.has(character)),
    },
  ]
  return rules.flatMap(({ enabled, rule, kept }) => (enabled ? [{ rule, kept }] : []))
}

/** Whether a password keeps every rule. */
export function keepsPolicy(policy: PasswordPolicy, password: string): boolean {
  return passwordRules(policy, password).every(({ kept }) => kept)
}
