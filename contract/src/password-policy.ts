/** The password rules of a storefront (A5-07, spec 43). */
export interface PasswordPolicy {
  /** Minimum number of characters. Always required (A5-08). */
  minimumCharacters: number
  upperCaseEnabled: boolean
  numbersEnabled: boolean
  alphabeticalEnabled: boolean
  specialCharacterEnabled: boolean
  /** Accepted special characters (A5-10). */
  specialCharacters: string
}

/** A rule of a policy, and whether a password satisfies it. */
export interface PasswordRule {
  rule: 'minimumCharacters' | 'upperCase' | 'numbers' | 'alphabetical' | 'specialCharacter'
  kept: boolean
}

/** Returns the enabled rules of a policy, in the order in which they are shown (A5-07 to A5-10). */
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

/** Returns whether a password satisfies every rule. */
export function keepsPolicy(policy: PasswordPolicy, password: string): boolean {
  return passwordRules(policy, password).every(({ kept }) => kept)
}
