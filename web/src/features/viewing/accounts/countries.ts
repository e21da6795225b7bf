import { listCountries } from '@ondine/contract/countries'
import { query } from '../../../api/query.ts'

/**
 * All countries (A3-34): first the countries that the operator serves, then all others, sorted by their names in the
 * language of the page.
 */
export const countriesQuery = query(listCountries, {})
