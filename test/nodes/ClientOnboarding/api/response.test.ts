import { describe, expect, it } from '@jest/globals';
import {
	describeResponse,
	isCutOff,
	isWithoutList,
	pageOf,
	statusOf,
} from '../../../../nodes/ClientOnboarding/api/response';

const respond = (statusCode: number, body: unknown, headers = {}) => ({ statusCode, headers, body });
const envelope = (data: unknown, status_code: unknown = 200) => respond(200, { status_code, message: 'text', data });
const [ADA, BOB] = [{ reference_id: 'A' }, { reference_id: 'B' }];

describe('The status of a response', () => {
	it.each([
		[200, 404, 404],
		[200, '404', 404],
		[200, 100, 100],
		[200, 599, 599],
		[200, 600, 200],
		[200, 99, 200],
		[200, null, 200],
		[200, 'x', 200],
		[299, 404, 404],
		[300, 404, 300],
		[199, 404, 199],
		[500, 200, 500],
	])('is, with HTTP %i and %j in the envelope, %i', (http, reported, expected) => {
		expect(statusOf({ ...envelope(null, reported), statusCode: http })).toBe(expected);
	});
});

describe('A page', () => {
	it.each<[unknown, unknown, number | undefined]>([
		[25, '250', 250],
		[25, 0, undefined],
		[25, -1, undefined],
		[25, 2.5, undefined],
		[25, '', undefined],
		[25, true, undefined],
		[25, [250], undefined],
		[25, 2 ** 53, undefined],
		[25, undefined, undefined],
	])('with page_limit %j and total_count %j has the total %j', (page_limit, total_count, totalCount) => {
		const expected = { clients: [ADA], pageLimit: 25, totalCount };
		expect(pageOf(envelope({ results: [ADA], page_limit, total_count }))).toEqual(expected);
	});

	it.each<[string, unknown, unknown]>([
		['no data', null, 200],
		['no results', { total_count: 5 }, 200],
		['results that are no list', { results: {} }, 200],
		['a result that is no record', { results: [ADA, null, BOB] }, 200],
		['another status', { results: [ADA] }, 404],
	])('is not a response with %s', (_, data, status) => {
		expect(pageOf(envelope(data, status))).toBeUndefined();
	});
});

describe('A response without a list', () => {
	it.each<[string, Parameters<typeof isWithoutList>[0], boolean]>([
		['204', respond(204, ''), true],
		['data is null', envelope(null), true],
		['there is no data', respond(200, { status_code: 200 }), true],
		['data is an empty list', envelope([]), true],
		['data is a list', envelope([ADA]), false],
		['data is text', envelope('none'), false],
		['results are null', envelope({ results: null }), true],
		['there are no results', envelope({}), true],
		['results are text', envelope({ results: 'none' }), false],
		['there is no envelope', respond(200, {}), false],
		['the status is another one', envelope(null, 404), false],
	])('is or is not one in which %s', (_, response, expected) => {
		expect(isWithoutList(response)).toBe(expected);
	});
});

describe('A cut-off response', () => {
	it.each([
		[undefined, true],
		[null, true],
		[' \n', true],
		[' {"status_code": 2', true],
		['[', true],
		['<html>{', false],
		['text', false],
		[{}, false],
	])('has the body %j: %j', (body, expected) => {
		expect(isCutOff(respond(200, body))).toBe(expected);
		for (const status of [204, 302, 404]) expect(isCutOff(respond(status, body))).toBe(false);
	});
});

describe('A response that is not from the service', () => {
	it.each([
		[302, '', { location: '/login' }, 'a redirect to another address (status 302)'],
		[300, '', { location: '/login' }, 'a redirect to another address (status 300)'],
		[304, '', {}, 'an empty response (status 304)'],
		[201, '', { location: '/new' }, 'an empty response (status 201)'],
		[400, 'text', { location: '/new' }, 'unexpected data (status 400)'],
		[200, '\n<html></html>', {}, 'a web page (status 200)'],
		[200, { html: '<' }, {}, 'unexpected data (status 200)'],
		[200, 'text <', {}, 'unexpected data (status 200)'],
	])('with status %i and body %j (%j) is called %s', (status, body, headers, expected) => {
		expect(describeResponse(respond(status, body, headers))).toBe(expected);
	});
});
