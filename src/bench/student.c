/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/student.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/* Neither numerator nor denominator of a fraction may become 0. */
static double away_from_zero(double x)
{
	return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/*
 * The continued fraction of the incomplete beta function (DLMF 8.17.22) by
 * Lentz's method; converges for x < (a + 1) / (a + b + 2).
 */
static double beta_fraction(double a, double b, double x)
{
	double c = 1;
	double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
	double f = d;

	for (int m = 1; m < 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x /
			     ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / away_from_zero(1 + even * d);
		c = away_from_zero(1 + even / c);
		f *= d * c;
		d = 1 / away_from_zero(1 + odd * d);
		c = away_from_zero(1 + odd / c);
		f *= d * c;
		if (fabs(d * c - 1) < 4 * DBL_EPSILON)
			break;
	}
	return f;
}

/* lgamma() leaves the sign, here always +, in a global. */
static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/* I_x(a, b); y is 1 - x, given apart as it may be tiny. */
static double beta_regularised(double a, double b, double x, double y)
{
	double front;

	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) +
		    a * log(x) + b * log(y));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, y) / b;
}

/* P(T > t) for t >= 0. */
static double upper_tail(double t, double df)
{
	double square = t * t;

	return beta_regularised(df / 2, 0.5, df / (df + square),
				square / (df + square)) /
	       2;
}

double student_quantile(double p, uint32_t df)
{
	double tail = p < 0.5 ? p : 1 - p;
	double low = 0, high = 1;

	assert(p > 0 && p < 1 && df >= 1);
	while (upper_tail(high, df) > tail)
		high *= 2;
	for (int i = 0; i < 200 && high - low > 1e-13 * high; i++) {
		double middle = (low + high) / 2;

		if (upper_tail(middle, df) > tail)
			low = middle;
		else
			high = middle;
	}
	return p < 0.5 ? -(low + high) / 2 : (low + high) / 2;
}

double student_detectable(double sd, uint32_t n, double alpha, double power)
{
	assert(n >= 2);
	return (student_quantile(1 - alpha / 2, n - 1) +
		student_quantile(power, n - 1)) *
	       sd / sqrt(n);
}

uint32_t student_needed(double sd, double effect, double alpha, double power,
			uint32_t most)
{
	uint32_t low = 1, high = 2;

	while (high < most &&
	       student_detectable(sd, high, alpha, power) > effect) {
		low = high;
		high *= 2;
	}
	if (high > most)
		high = most;
	if (student_detectable(sd, high, alpha, power) > effect)
		return 0;
	/* Detectable effects fall as n grows: low is too few, high is not. */
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (student_detectable(sd, middle, alpha, power) > effect)
			low = middle;
		else
			high = middle;
	}
	return high;
}
