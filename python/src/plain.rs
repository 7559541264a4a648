//! JSON values as Python's own things, and back.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::Serialize;
use serde_json::{Map, Number, Value};

/// Deeper than this nobody writes an action; a list that holds itself would have no end.
const DEEPEST: usize = 64;

/// Anything that can be written as JSON, as dicts, lists, strings and numbers.
pub fn handed<'py, T: Serialize>(py: Python<'py>, thing: &T) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(thing).map_err(|e| PyTypeError::new_err(e.to_string()))?;
    python(py, &value)
}

/// A JSON value as Python's own.
pub fn python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(yes) => PyBool::new(py, *yes).to_owned().into_any(),
        Value::Number(n) => match (n.as_i64(), n.as_u64()) {
            (Some(n), _) => n.into_pyobject(py)?.into_any(),
            (None, Some(n)) => n.into_pyobject(py)?.into_any(),
            _ => n.as_f64().unwrap_or(f64::NAN).into_pyobject(py)?.into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(all) => {
            let list = PyList::empty(py);
            for one in all {
                list.append(python(py, one)?)?;
            }
            list.into_any()
        }
        Value::Object(map) => {
            let dict = PyDict::new(py);
            for (key, one) in map {
                dict.set_item(key, python(py, one)?)?;
            }
            dict.into_any()
        }
    })
}

/// What Python hands over, as a JSON value.
pub fn value(thing: &Bound<'_, PyAny>) -> PyResult<Value> {
    read(thing, 0)
}

fn read(thing: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if depth > DEEPEST {
        return Err(PyTypeError::new_err("an answer this deep is none; does a list hold itself?"));
    }
    let inner = |one: Bound<'_, PyAny>| read(&one, depth + 1);
    if thing.is_none() {
        Ok(Value::Null)
    } else if let Ok(yes) = thing.cast::<PyBool>() {
        Ok(Value::Bool(yes.is_true()))
    } else if let Ok(text) = thing.cast::<PyString>() {
        Ok(Value::String(text.to_cow()?.into_owned()))
    } else if thing.is_instance_of::<PyInt>() {
        match thing.extract::<i64>() {
            Ok(n) => Ok(n.into()),
            Err(_) => Ok(thing.extract::<u64>()?.into()),
        }
    } else if thing.is_instance_of::<PyFloat>() {
        let n: f64 = thing.extract()?;
        Number::from_f64(n)
            .map(Value::Number)
            .ok_or_else(|| PyTypeError::new_err(format!("{n} is no place or length on a table")))
    } else if let Ok(list) = thing.cast::<PyList>() {
        list.iter().map(inner).collect()
    } else if let Ok(tuple) = thing.cast::<PyTuple>() {
        tuple.iter().map(inner).collect()
    } else if let Ok(dict) = thing.cast::<PyDict>() {
        let mut map = Map::new();
        for (key, one) in dict.iter() {
            let key: String = key.extract().map_err(|_| {
                PyTypeError::new_err(format!("{key} is no key of an answer; keys are strings"))
            })?;
            map.insert(key, inner(one)?);
        }
        Ok(Value::Object(map))
    } else if let Ok(number) = thing.call_method0("item") {
        // NumPy's numbers become Python's own by this.
        if number.get_type().is(thing.get_type()) { Err(foreign(thing)) } else { read(&number, depth + 1) }
    } else {
        Err(foreign(thing))
    }
}

fn foreign(thing: &Bound<'_, PyAny>) -> PyErr {
    let name = thing.get_type().name().map_or_else(|_| "this".into(), |n| n.to_string());
    PyTypeError::new_err(format!(
        "{name} is nothing an answer is made of; use dicts, lists, strings, numbers, True, False and None"
    ))
}
