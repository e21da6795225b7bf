import { listCountries } from '@ondine/contract/countries'
import { query } from '../../../api/query.ts'

/**
 * All countries: first those that the operator serves, then the rest by their names in the language of the page
 * (A3-34).
 */
export const countriesQuery = query(listCountries, {})
