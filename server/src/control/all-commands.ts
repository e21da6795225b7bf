import { createAccountCommand } from '../features/accounts/accounts.commands.ts'
import type { Command } from './commands.ts'
import { doctorCommand } from './doctor.ts'

/** Every command that works on an installation. */
export const COMMANDS: readonly Command[] = [createAccountCommand, doctorCommand]
